/** Entry of the lazy turn chunk: what a turn needs to send its request and to decode the reply, without what shows it. */
export { awaitPageFunction } from '../page-functions.ts';
export { loadRedaction, startTurn } from '../runtime/chat/run-turn.ts';
export { entryFor } from '../runtime/stream/request-with-retries.ts';
