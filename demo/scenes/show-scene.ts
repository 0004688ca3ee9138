import type { AgentChat } from 'agent-chat-element';
import type { Scene } from './scene.ts';

/**
 * Shows a scene in the widget of the page, and resolves when the last of it is drawn. A test hands this function over to its
 * page: it stands for itself, without imports and without functions of its own that have a name.
 */
export async function showScene(scene: Scene): Promise<void> {
  await customElements.whenDefined('agent-chat');
  const chat = document.querySelector<AgentChat>('agent-chat');
  const root = chat?.shadowRoot;
  if (!chat || !root) throw new Error('The page has no widget.');
  const { reply, threads } = scene;
  const kept = threads?.map(({ title, hoursAgo }, index) => ({
    id: `thread-${String(index)}`,
    title,
    updated: Date.now() - hoursAgo * 3_600_000,
  }));
  const store = {
    list() {
      return kept;
    },
    load() {
      return null;
    },
    save() {
      return null;
    },
    rename() {
      return null;
    },
    remove() {
      return null;
    },
  };
  Object.assign(chat, {
    endpoint: '/agent',
    protocol: 'agent-session',
    retry: 'off',
    ...(kept && { storage: { store }, persist: 'local', threadId: kept[0]?.id }),
    ...scene.settings,
    fetch() {
      if (!reply) return new Promise(() => undefined);
      const text = (reply.events ?? []).map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          if (text) controller.enqueue(new TextEncoder().encode(text));
          if (reply.then === 'ends') controller.close();
        },
        // Only once what was said is read: an error drops what still waits.
        pull(controller) {
          if (reply.then === 'is lost') controller.error(new TypeError('The connection was lost.'));
        },
      });
      const headers = { 'content-type': 'text/event-stream' };
      return Promise.resolve(new Response(body, { headers, status: reply.status ?? 200 }));
    },
  });
  chat.messages = scene.messages ?? [];
  for (const words of scene.ask ?? []) void chat.send(words);
  if (scene.draft !== undefined) chat.setDraft(scene.draft);
  const steps = [...(scene.press ?? []).map((selector) => ({ selector, press: true }))];
  const ends = scene.ready.map((selector) => ({ selector, press: false }));
  for (const { selector, press } of [...steps, ...ends]) {
    let found = root.querySelector<HTMLElement>(selector);
    for (let frames = 0; !found; frames++) {
      // Half a minute, on a machine that keeps up.
      if (frames > 1800) throw new Error(`The scene "${scene.name}" has no ${selector}.`);
      await new Promise(requestAnimationFrame);
      found = root.querySelector<HTMLElement>(selector);
    }
    if (press) found.click();
  }
  if (scene.unfold) for (const details of root.querySelectorAll('details')) details.open = true;
  await document.fonts.ready;
  // What was pressed or unfolded last is drawn with the second frame from here.
  await new Promise(requestAnimationFrame);
  await new Promise(requestAnimationFrame);
}
