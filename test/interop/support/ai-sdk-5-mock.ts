/** The mock model of version 5 for tests of version 6: version 5 has a plain finish reason and plain token counts. */
import { MockLanguageModelV2 } from 'ai-5/test';
import type { ModelPart } from './ai-sdk-server.ts';

export { convertArrayToReadableStream } from 'ai-5/test';

type Stream = Awaited<ReturnType<MockLanguageModelV2['doStream']>>['stream'];
type Part = Stream extends ReadableStream<infer Each> ? Each : never;

function toPart(part: ModelPart): Part {
  if (part.type !== 'finish') return part as Part;
  const { finishReason, usage } = part;
  const [inputTokens, outputTokens] = [usage.inputTokens.total, usage.outputTokens.total];
  return {
    type: 'finish',
    finishReason: finishReason.unified,
    usage: { inputTokens, outputTokens, totalTokens: (inputTokens ?? 0) + (outputTokens ?? 0) },
  };
}

/** Has the name that the tests import. */
export class MockLanguageModelV3 extends MockLanguageModelV2 {
  constructor({ doStream }: { readonly doStream: () => Promise<{ readonly stream: ReadableStream<ModelPart> }> }) {
    super({
      doStream: async () => {
        const { stream } = await doStream();
        return {
          stream: stream.pipeThrough(
            new TransformStream<ModelPart, Part>({
              transform(part, controller) {
                controller.enqueue(toPart(part));
              },
            }),
          ),
        };
      },
    });
  }
}
