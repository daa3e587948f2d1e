export { computeBinding, computeSchema, path } from './compute-objects.js';
