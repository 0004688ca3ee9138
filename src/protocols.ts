/** `agent-chat-element/protocols`: the contract of an adapter, and what one of your own is made with. */
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
  SignFrame,
  Signs,
  Turn,
  Warning,
  WireRequest,
} from './protocols/adapter.ts';
export { defineProtocol } from './protocols/define-protocol.ts';
export type { ProtocolMapping } from './protocols/map-protocol.ts';
export { fit, readFrames, readJsonFrames, type JsonFrame } from './protocols/shared/read-frames.ts';
export { protocols, ProtocolRegistry, type ProtocolEntry } from './protocols/registry.ts';
export type { Frame, Framing } from './transport/frame.ts';
