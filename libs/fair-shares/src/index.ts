export { Deadlines } from './deadlines.js';
export { EventPace, type EventPaceDependencies } from './event-pace.js';
export { FairShare, type ShareBounds } from './fair-share.js';
export { FairSlots, type SlotBounds, type SlotRequest } from './fair-slots.js';
export { KcpAsks, type AskLimits, type KcpAsksDependencies } from './kcp-asks.js';
export { ReadingTurns, type TurnLimits } from './reading-turns.js';
export { shareRoom, type Shares } from './share-room.js';
export { atOnce, inTurns, processTurns, TURN_MS, Turns, type Sharer, type TurnOptions, type TurnsLoop } from './turns.js';
