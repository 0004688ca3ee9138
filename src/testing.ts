/** `agent-chat-element/testing`: agents that answer from a script. */
export type { RecordedFrame, Recording } from './runtime/recording.ts';
export { replay, type Replay, type ReplayOptions } from './runtime/replay.ts';
