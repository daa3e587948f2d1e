/** The reason of each cause in a refusal of ours: an object still refers to what is to be deleted. Programs know our refusals by it. */
export const STILL_REFERENCED = 'StillReferenced';
