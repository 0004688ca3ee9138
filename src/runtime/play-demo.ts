/** The agent of `<agent-chat demo>`: a script, answering as a server would, for which nothing goes out. */
import { toEvents, type Step } from '../agents/demo/step.ts';
import { answered, others, scenes } from '../agents/demo/scenes.ts';
import type { Suggestion } from '../model/blocks.ts';
import { newId } from './new-id.ts';
import { sleep } from './within.ts';

/** What the empty transcript offers. */
export const demoStarters: readonly Suggestion[] = scenes.map(({ starter }) => starter);

/** What the adapter of DeepChat events sends, as far as it is looked at. */
interface Asked {
  readonly messages?: readonly { readonly content?: { readonly text?: string } }[];
  readonly permissions?: readonly { readonly decision?: string }[];
}

/** Answers a request of the adapter of DeepChat events. */
export function playDemo(_input: unknown, { body, signal }: RequestInit = {}): Promise<Response> {
  const asked = JSON.parse(typeof body === 'string' ? body : '{}') as Asked;
  const events = toEvents(stepsFor(asked), newId());
  const encoder = new TextEncoder();
  let next = 0;
  const stream = new ReadableStream({
    async pull(controller) {
      const said = events[next++];
      if (!said) {
        controller.close();
        return;
      }
      if (said.wait > 0) await sleep(said.wait, signal ?? new AbortController().signal);
      controller.enqueue(encoder.encode(`${JSON.stringify(said.event)}\n`));
    },
  });
  return Promise.resolve(new Response(stream, { headers: { 'content-type': 'application/x-ndjson' } }));
}

function stepsFor({ messages = [], permissions = [] }: Asked): readonly Step[] {
  const decision = permissions.at(-1)?.decision;
  if (decision !== undefined) return answered(decision);
  const text = messages.at(-1)?.content?.text ?? '';
  const scene =
    scenes.find(({ starter }) => starter.prompt === text) ?? scenes.find(({ asked }) => asked.test(text)) ?? scenes[0];
  return scene ? [...scene.steps(), others(scene)] : [];
}
