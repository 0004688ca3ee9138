/** `agent-chat-element/testing`: agents that answer from a script or a recording, for a page's own tests. */
export type { RecordedFrame, Recording } from './runtime/trace/recording.ts';
export { replay, type Replay, type ReplayOptions } from './runtime/trace/replay.ts';
export {
  agentOf,
  mockEndpoint,
  type MockEndpoint,
  type MockOptions,
  type Script,
  type ScriptedAgent,
  type ScriptedAnswer,
  type ScriptedRequest,
} from './runtime/testing/scripted-agent.ts';
export type { ScriptedProtocol } from './runtime/testing/encoders/encoders.ts';
export type { ScriptedReply, ScriptedStep, ScriptedTool } from './runtime/testing/scripted-reply.ts';
