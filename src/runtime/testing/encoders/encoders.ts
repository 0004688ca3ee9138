/** The encoders by protocol. */
import type { ProtocolEncoder } from './encoder.ts';
import { eventFormats } from './event-formats.ts';
import { frameworks } from './frameworks.ts';
import { modelProviders } from './model-providers.ts';
import { products } from './products.ts';
import { servers } from './servers.ts';

const table = { ...eventFormats, ...modelProviders, ...frameworks, ...servers, ...products } as const;

/** The protocols that a scripted reply can be encoded in. */
export type ScriptedProtocol = keyof typeof table;

export const encoders: Readonly<Record<ScriptedProtocol, ProtocolEncoder>> = table;
