export { configurationOf } from './configuration-of.js';
export { kcpErrorOf } from './api-exception.js';
export { connectionOptionsOf, type KubeConfigOptions } from './connection-options-of.js';
export { type Wire } from './wire.js';
