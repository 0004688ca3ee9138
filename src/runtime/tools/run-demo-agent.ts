/** The agent of `<agent-chat demo>`: a script that answers like a server, without network requests. */
import { toEvents, type Step } from '../../agents/demo/step.ts';
import { answerSteps, others, scenes } from '../../agents/demo/scenes.ts';
import type { Suggestion } from '../../model/blocks.ts';
import { newId } from '../new-id.ts';
import { sleep } from '../timeout.ts';

/** Suggestions for the empty transcript. */
export const demoStarters: readonly Suggestion[] = scenes.map(({ starter }) => starter);

/** The parts of a request of the DeepChat events adapter that the script reads. */
interface DemoRequest {
  readonly messages?: readonly { readonly content?: { readonly text?: string } }[];
  readonly permissions?: readonly { readonly decision?: string }[];
}

/** Answers a request of the DeepChat events adapter. */
export function runDemoAgent(_input: unknown, { body, signal }: RequestInit = {}): Promise<Response> {
  const asked = JSON.parse(typeof body === 'string' ? body : '{}') as DemoRequest;
  const events = toEvents(stepsFor(asked), newId());
  const encoder = new TextEncoder();
  let next = 0;
  const stream = new ReadableStream({
    async pull(controller) {
      const step = events[next++];
      if (!step) {
        controller.close();
        return;
      }
      if (step.wait > 0) await sleep(step.wait, signal ?? new AbortController().signal);
      controller.enqueue(encoder.encode(`${JSON.stringify(step.event)}\n`));
    },
  });
  return Promise.resolve(new Response(stream, { headers: { 'content-type': 'application/x-ndjson' } }));
}

function stepsFor({ messages = [], permissions = [] }: DemoRequest): readonly Step[] {
  const decision = permissions.at(-1)?.decision;
  if (decision !== undefined) return answerSteps(decision);
  const text = messages.at(-1)?.content?.text ?? '';
  const scene =
    scenes.find(({ starter }) => starter.prompt === text) ??
    scenes.find(({ pattern }) => pattern.test(text)) ??
    scenes[0];
  return scene ? [...scene.steps(), others(scene)] : [];
}
