export { hurriedClock } from './hurried-clock.js';
export { instantClock, sleepless, type InstantClock } from './instant-clock.js';
export { ManualClock, settled } from './manual-clock.js';
export { recordingLogger } from './recording-logger.js';
