export { FedStores, type FedStoresOptions } from './fed-stores.js';
