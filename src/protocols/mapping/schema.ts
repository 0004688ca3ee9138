/** The fields of a mapping. `docs/guides/own-protocol.md` explains each one with an example. */
import { finishReason } from '../../model/message.ts';
import { ensure, recordOf, z } from '../../model/schema.ts';
import { parseFieldPath } from '../shared/field-path.ts';

const optional = z.exactOptional;

const NOT_A_PATH = 'This is not a path.';
const isPath = (value: string): boolean => typeof parseFieldPath(value) !== 'string';
/**
 * A path into the frame's JSON, such as `data.items[0].text`. `@event` is the SSE event name, `@data` the data of a
 * frame that is a JSON string.
 */
const path = z.string().check(ensure(isPath, NOT_A_PATH));

/** Values that fields must have; `null` requires only that the field exists. */
const conditions = recordOf(z.union([z.string(), z.number(), z.boolean(), z.literal(null)])).check(
  ensure((values) => Object.keys(values).every(isPath), NOT_A_PATH),
);

const rule = z
  .strictObject({
    /** The rule applies to frames that have these values. Without `when` it applies to every frame. */
    when: optional(conditions),
    /** A list. The rule applies to each of its items, and all paths except those in `when` start at the item. */
    each: optional(path),
    /** With `each`: the rule applies to items that have these values. */
    where: optional(conditions),
    text: optional(path),
    /** The accumulated text, for servers that send the complete text with each frame. */
    textSoFar: optional(path),
    reasoning: optional(path),
    /** A tool call. `arguments` may arrive in parts, in frames with the same `id`. */
    tool: optional(z.strictObject({ id: optional(path), name: optional(path), arguments: optional(path) })),
    /** The result of a tool call. */
    result: optional(z.strictObject({ id: optional(path), content: optional(path), error: optional(path) })),
    /** A question whether a call may run. `id` identifies the question, `call` the call; one of them is enough. */
    approval: optional(
      z.strictObject({
        id: optional(path),
        call: optional(path),
        name: optional(path),
        arguments: optional(path),
        description: optional(path),
      }),
    ),
    citation: optional(
      z.strictObject({ id: optional(path), url: optional(path), title: optional(path), quote: optional(path) }),
    ),
    /** Numbers of tokens. Without `total` it is the sum of the other two. */
    usage: optional(z.strictObject({ prompt: optional(path), completion: optional(path), total: optional(path) })),
    data: optional(path),
    phase: optional(path),
    /** Values to store, by name. The next request can send them back as `{kept.name}`. */
    keep: optional(recordOf(path)),
    error: optional(path),
    finish: optional(finishReason),
  })
  .check(ensure(({ each, where }) => where === undefined || each !== undefined, '"where" needs "each".', ['where']));

const fields = z.strictObject({
  id: z.string(),
  label: optional(z.string()),
  kind: optional(z.enum(['model', 'agent'])),
  framing: optional(z.enum(['sse', 'lines', 'json'])),
  /** The protocol is detected when one of the first frames has all of these values. */
  detect: optional(conditions),
  /**
   * The placeholders `{text}`, `{threadId}`, `{messages}`, `{system}`, `{model}`, `{answers}` and `{kept.name}` are
   * replaced. A string that is only a placeholder is replaced by the value with its type.
   */
  request: z.strictObject({
    method: optional(z.enum(['POST', 'PUT', 'GET'])),
    headers: optional(recordOf(z.string())),
    /** Appended to the path of the endpoint. Omitted while a placeholder in it has no value. */
    path: optional(z.string()),
    /** Parameters of the query. One whose placeholder has no value is omitted. */
    query: optional(recordOf(z.string())),
    body: optional(recordOf(z.unknown())),
    /**
     * The form of one item of `{answers}`, with the placeholders `{id}`, `{call}`, `{name}`, `{approved}`, `{note}` and
     * `{arguments}`.
     */
    answer: optional(recordOf(z.unknown())),
  }),
  events: z.array(rule),
  /** Completes a reply that has no `finish`: the end of the stream, or only the mark `[DONE]` (default). */
  end: optional(z.enum(['done', 'stream'])),
});

/** The schema of a mapping. */
export const protocolMapping = fields.check(
  ensure(
    ({ request, events }) =>
      !events.some(({ approval }) => approval) || JSON.stringify(request.body ?? {}).includes('{answers}'),
    'The answers to an approval need "{answers}" here.',
    ['request', 'body'],
  ),
);

/** A protocol described as data. See `docs/guides/own-protocol.md` for an example of every field. */
export type ProtocolMapping = z.infer<typeof protocolMapping>;
export type MappingRule = ProtocolMapping['events'][number];
export type Conditions = z.infer<typeof conditions>;
