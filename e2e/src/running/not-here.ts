/** Thrown by a case that cannot show on this machine what it says, which it has only learned by trying: it counts as skipped, not as passed. */
export class NotHere extends Error {}
