/**
 * Entry of the lazy chunk for earlier replies: to rate one, to resume one, and to send to its agent. Few conversations need one of them,
 * so they are loaded together.
 */
export { withoutLastRound } from '../stream/resume-from-last-round.ts';
export { authorSettings } from './author-settings.ts';
export { Ratings } from './ratings.ts';
