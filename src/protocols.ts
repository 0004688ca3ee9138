/** `agent-chat-element/protocols`: the adapter interface, and tools to write your own adapter. */
export type {
  Adapter,
  AdapterEvent,
  Answer,
  Certainty,
  DecodeContext,
  Fork,
  Report,
  RequestOptions,
  Resumption,
  SideAnswer,
  DetectionFrame,
  DetectionInput,
  /** The former name. */
  DetectionFrame as SignFrame,
  /** The former name. */
  DetectionInput as Signs,
  Turn,
  Warning,
  WireRequest,
} from './protocols/core/adapter.ts';
export { defineProtocol } from './protocols/define-protocol.ts';
export type { ProtocolMapping } from './protocols/mapping/map-protocol.ts';
export { fit, readFrames, readJsonFrames, type JsonFrame } from './protocols/core/read-frames.ts';
export { protocols, ProtocolRegistry, type ProtocolEntry } from './protocols/registry.ts';
export type { Frame, Framing } from './transport/frame.ts';
