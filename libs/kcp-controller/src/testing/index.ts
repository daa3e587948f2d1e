export { FedStores } from './fed-stores.js';
