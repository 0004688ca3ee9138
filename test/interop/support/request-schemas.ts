/**
 * Request schemas of servers whose client is not installed here, after their API documentation. Unknown fields are
 * rejected.
 */
import { z } from '../../../src/model/schema.ts';

const optional = z.optional;
const text = z.string();
const record = z.record(z.string(), z.unknown());
const base64 = z.string().check(z.regex(/^[A-Za-z\d+/]+=*$/));
const tool = z.strictObject({
  type: z.literal('function'),
  function: z.strictObject({ name: text, description: text, parameters: z.looseObject({ type: z.literal('object') }) }),
});

/** Source: `ChatRequest`, `Message` and `ToolCall` in `api/types.go` of ollama/ollama. */
export const ollamaRequest = z.strictObject({
  model: text,
  stream: z.boolean(),
  messages: z.array(
    z.strictObject({
      role: z.enum(['system', 'user', 'assistant', 'tool']),
      content: text,
      thinking: optional(text),
      images: optional(z.array(base64)),
      tool_calls: optional(
        z.array(z.strictObject({ id: optional(text), function: z.strictObject({ name: text, arguments: record }) })),
      ),
      tool_name: optional(text),
      tool_call_id: optional(text),
    }),
  ),
  tools: optional(z.array(tool)),
});

/** Source: ai.google.dev/api/caching#Content, ai.google.dev/api/generate-content. */
export const geminiRequest = z.strictObject({
  systemInstruction: optional(z.strictObject({ parts: z.array(z.strictObject({ text })) })),
  contents: z.array(
    z.strictObject({
      role: z.enum(['user', 'model']),
      parts: z.array(
        z.union([
          z.strictObject({ text, thoughtSignature: optional(base64) }),
          z.strictObject({ inlineData: z.strictObject({ mimeType: text, data: base64 }) }),
          z.strictObject({
            functionCall: z.strictObject({ id: optional(text), name: text, args: record }),
            thoughtSignature: optional(base64),
          }),
          z.strictObject({
            functionResponse: z.strictObject({ id: optional(text), name: text, response: record }),
          }),
        ]),
      ),
    }),
  ),
  tools: optional(
    z.array(
      z.strictObject({
        functionDeclarations: z.array(z.strictObject({ name: text, description: text, parameters: record })),
      }),
    ),
  ),
});

/** Source: docs.cohere.com/reference/chat-stream. */
export const cohereRequest = z.strictObject({
  model: text,
  stream: z.literal(true),
  messages: z.array(
    z.discriminatedUnion('role', [
      z.strictObject({ role: z.literal('system'), content: text }),
      z.strictObject({
        role: z.literal('user'),
        content: z.union([
          text,
          z.array(
            z.union([
              z.strictObject({ type: z.literal('text'), text }),
              z.strictObject({ type: z.literal('image_url'), image_url: z.strictObject({ url: text }) }),
            ]),
          ),
        ]),
      }),
      z.strictObject({
        role: z.literal('assistant'),
        content: optional(text),
        tool_plan: optional(text),
        tool_calls: optional(
          z.array(
            z.strictObject({
              id: text,
              type: z.literal('function'),
              function: z.strictObject({ name: text, arguments: text }),
            }),
          ),
        ),
      }),
      z.strictObject({ role: z.literal('tool'), tool_call_id: text, content: text }),
    ]),
  ),
  tools: optional(z.array(tool)),
});
