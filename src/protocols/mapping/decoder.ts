/** Reads frames by the rules of a mapping. */
import type { LLMAgentEventData } from '../../model/events/agent-events.ts';
import { appendArguments } from '../../model/canonical-arguments.ts';
import type { Frame } from '../../transport/frame.ts';
import type { AdapterEvent, DecodeContext } from '../core/adapter.ts';
import { readJsonFrames } from '../core/read-frames.ts';
import { readThinkTags } from '../shared/think-tags.ts';
import { sendsArguments } from './request.ts';
import { hasValues, readFrom, type ReadPath } from './read-path.ts';
import type { MappingRule, ProtocolMapping } from './schema.ts';

type Data = Omit<LLMAgentEventData, 'eventId'>;

/** The decoder's state during a reply. */
interface MappedReply {
  readonly mapping: ProtocolMapping;
  readonly newId: () => string;
  textSoFar: string;
  /** The call that a frame without an id refers to. */
  lastCall: string | undefined;
  readonly startedCalls: Set<string>;
  /** The calls without a result. A question about one may have no name and no arguments. */
  readonly openCalls: Map<string, { readonly name: string; readonly params: string }>;
  readonly stored: Record<string, unknown>;
  hasEvents: boolean;
  hasFailed: boolean;
  hasFinished: boolean;
}

export async function* decodeMapped(
  mapping: ProtocolMapping,
  batches: AsyncIterable<readonly Frame[]>,
  { eventId, report, newId }: DecodeContext,
): AsyncGenerator<readonly AdapterEvent[], void, unknown> {
  const reply: MappedReply = {
    mapping,
    newId,
    textSoFar: '',
    lastCall: undefined,
    startedCalls: new Set(),
    openCalls: new Map(),
    stored: {},
    hasEvents: false,
    hasFailed: false,
    hasFinished: false,
  };
  const response = (data: Data): AdapterEvent => ({ type: 'response', data: { eventId, ...data } });
  const tags = readThinkTags(eventId);
  for await (const batch of batches) {
    const events: AdapterEvent[] = [];
    for (const { json, frame } of readJsonFrames(batch, report)) {
      const read = readFrom(json, frame.event);
      const matching = mapping.events.filter(({ when }) => hasValues(read, when));
      if (matching.length === 0) report({ kind: 'unknown', detail: 'No rule fits this frame.', frame });
      for (const rule of matching)
        for (const readItem of itemsOf(rule, read, frame.event)) {
          for (const data of applyRule(reply, rule, readItem)) events.push(response(data));
          const error = readItem.text(rule.error);
          if (error) events.push({ type: 'error', data: { eventId, error } });
          for (const data of endBy(reply, rule, error)) events.push(response(data));
        }
    }
    reply.hasEvents ||= events.length > 0;
    yield tags.read(events);
  }
  yield tags.end();
  if (mapping.end === 'stream' && reply.hasEvents && !reply.hasFinished) yield [response({ finish: 'complete' })];
}

/** The values that a rule applies to: the frame, or the items of its list. */
function itemsOf({ each, where }: MappingRule, read: ReadPath, event: string | undefined): readonly ReadPath[] {
  if (each === undefined) return [read];
  const list = read(each);
  const items: readonly unknown[] = Array.isArray(list) ? list : [];
  return items.map((item) => readFrom(item, event)).filter((readItem) => hasValues(readItem, where));
}

/** Applies a rule to a value, except for an error and the end of the reply. */
const applyRule = (reply: MappedReply, rule: MappingRule, read: ReadPath): readonly Data[] => [
  ...textEvents(reply, rule, read),
  ...toolEvents(reply, rule, read),
  ...resultEvents(reply, rule, read),
  ...approvalEvents(reply, rule, read),
  ...citationEvents(rule, read),
  ...usageEvents(rule, read),
  ...otherEvents(reply, rule, read),
];

function textEvents(reply: MappedReply, rule: MappingRule, read: ReadPath): readonly Data[] {
  const [content, reasoning] = [read.text(rule.text), read.text(rule.reasoning)];
  const before = reply.textSoFar;
  const soFar = read.text(rule.textSoFar) ?? '';
  const hasGrown = soFar.length > before.length && soFar.startsWith(before);
  if (hasGrown) reply.textSoFar = soFar;
  return [
    ...(reasoning ? [{ reasoning_content: reasoning }] : []),
    ...(content ? [{ content }] : []),
    ...(hasGrown ? [{ content: soFar.slice(before.length) }] : []),
  ];
}

/** The id of the call that a value is about: without an id, the last call. */
function callIdOf(reply: MappedReply, id: string | undefined): string {
  reply.lastCall = id ?? reply.lastCall ?? reply.newId();
  return reply.lastCall;
}

function toolEvents(reply: MappedReply, { tool }: MappingRule, read: ReadPath): readonly Data[] {
  if (!tool || !hasAny(tool, read)) return [];
  const [name, params] = [read.text(tool.name), read.text(tool.arguments)];
  const tool_call_id = callIdOf(reply, read.text(tool.id));
  const tool_call = reply.startedCalls.has(tool_call_id) ? 'update' : 'start';
  reply.startedCalls.add(tool_call_id);
  const before = reply.openCalls.get(tool_call_id);
  reply.openCalls.set(tool_call_id, {
    name: name ?? before?.name ?? '',
    params: appendArguments(before?.params ?? '', params ?? ''),
  });
  return [
    {
      tool_call,
      tool_call_id,
      ...(name && { tool_call_name: name }),
      ...(params && { tool_call_params: params }),
    },
  ];
}

function resultEvents(reply: MappedReply, { result }: MappingRule, read: ReadPath): readonly Data[] {
  if (!result || !hasAny(result, read)) return [];
  const [content, failure] = [read.text(result.content), read.text(result.error)];
  const tool_call_id = callIdOf(reply, read.text(result.id));
  reply.lastCall = undefined;
  reply.openCalls.delete(tool_call_id);
  return [{ tool_call: failure ? 'error' : 'end', tool_call_id, tool_call_response: failure ?? content ?? '' }];
}

/** The server runs the call once it is allowed; the page never does. */
function approvalEvents(reply: MappedReply, { approval }: MappingRule, read: ReadPath): readonly Data[] {
  if (!approval || !hasAny(approval, read)) return [];
  const questionId = read.text(approval.id);
  const tool_call_id = callIdOf(reply, read.text(approval.call) ?? questionId);
  const known = reply.openCalls.get(tool_call_id);
  const toolName = read.text(approval.name) ?? known?.name ?? '';
  const params = read.text(approval.arguments) ?? (known?.params || undefined);
  const call: Data = {
    tool_call_id,
    ...(toolName && { tool_call_name: toolName }),
    ...(params !== undefined && { tool_call_params_complete: params }),
  };
  const isNew = !reply.startedCalls.has(tool_call_id);
  reply.startedCalls.add(tool_call_id);
  return [
    { ...call, tool_call: isNew ? 'start' : 'update', tool_call_remote: true },
    {
      ...call,
      tool_call: 'permission-required',
      permission_request: {
        toolName,
        serverName: '',
        permissionType: 'all',
        description: read.text(approval.description) ?? '',
      },
      request: { id: questionId ?? tool_call_id, extra: { editable: sendsArguments(reply.mapping) } },
    },
  ];
}

function citationEvents({ citation }: MappingRule, read: ReadPath): readonly Data[] {
  if (!citation) return [];
  const [url, title, quote] = [read.text(citation.url), read.text(citation.title), read.text(citation.quote)];
  const id = read.text(citation.id) ?? url ?? title;
  if (id === undefined) return [];
  return [
    {
      citation: {
        id,
        ...(url !== undefined && { url }),
        ...(title !== undefined && { title }),
        ...(quote !== undefined && { quote }),
      },
    },
  ];
}

function usageEvents({ usage }: MappingRule, read: ReadPath): readonly Data[] {
  const count = (path: string | undefined): number | undefined => {
    const value = Number(read(path) ?? NaN);
    return Number.isFinite(value) ? value : undefined;
  };
  const [prompt, completion, total] = [count(usage?.prompt), count(usage?.completion), count(usage?.total)];
  if (prompt === undefined && completion === undefined && total === undefined) return [];
  const totalUsage = {
    prompt_tokens: prompt ?? 0,
    completion_tokens: completion ?? 0,
    total_tokens: total ?? (prompt ?? 0) + (completion ?? 0),
  };
  return [{ totalUsage }];
}

function otherEvents(reply: MappedReply, rule: MappingRule, read: ReadPath): readonly Data[] {
  const payload = read(rule.data);
  const phase = read.text(rule.phase);
  const stored = Object.entries(rule.keep ?? {}).flatMap(([name, path]) => {
    const value = read(path);
    return value === undefined ? [] : [[name, value] as const];
  });
  Object.assign(reply.stored, Object.fromEntries(stored));
  return [
    ...(payload === undefined ? [] : [{ data: { data_type: 'custom' as const, data: payload } }]),
    ...(phase ? [{ phase: { name: phase } }] : []),
    ...(stored.length > 0 ? [{ metadata: { [reply.mapping.id]: { ...reply.stored } } }] : []),
  ];
}

/** After an error the reply has failed, whatever the server sends after it. */
function endBy(reply: MappedReply, { finish }: MappingRule, error: string | undefined): readonly Data[] {
  reply.hasFailed ||= Boolean(error);
  reply.hasFinished ||= reply.hasFailed || finish !== undefined;
  if (reply.hasFailed) return [{ finish: 'error' }];
  return finish ? [{ finish }] : [];
}

/** Whether a value has at least one of the fields that a rule reads. Without any, it does not describe a tool. */
const hasAny = (fields: Readonly<Partial<Record<string, string>>>, read: ReadPath): boolean =>
  Object.values(fields).some((path) => read(path) !== undefined);
