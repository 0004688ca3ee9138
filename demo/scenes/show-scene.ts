import type { AgentChat } from 'agent-chat-element';
import type { Scene } from './scene.ts';

/**
 * Shows a scene in the widget of the page, and resolves when it is fully rendered. Tests serialize this function into
 * their page, so it uses no imports and no other named functions.
 */
export async function showScene(scene: Scene): Promise<void> {
  await customElements.whenDefined('agent-chat');
  const chat = document.querySelector<AgentChat>('agent-chat');
  const root = chat?.shadowRoot;
  if (!chat || !root) throw new Error('The page has no widget.');
  const { reply, threads } = scene;
  const storedThreads = threads?.map(({ title, hoursAgo }, index) => ({
    id: `thread-${String(index)}`,
    title,
    updated: Date.now() - hoursAgo * 3_600_000,
  }));
  const store = {
    list() {
      return storedThreads;
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
    ...(storedThreads && { storage: { store }, persist: 'local', threadId: storedThreads[0]?.id }),
    ...scene.settings,
    fetch() {
      if (!reply) return new Promise(() => undefined);
      const text = (reply.events ?? []).map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          if (text) controller.enqueue(new TextEncoder().encode(text));
          if (reply.then === 'ends') controller.close();
        },
        // Only after all events were read, because an error discards pending ones.
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
      // At most half a minute on a machine that is fast enough.
      if (frames > 1800) throw new Error(`The scene "${scene.name}" has no ${selector}.`);
      await new Promise(requestAnimationFrame);
      found = root.querySelector<HTMLElement>(selector);
    }
    if (press) found.click();
  }
  if (scene.unfold) for (const details of root.querySelectorAll('details')) details.open = true;
  await document.fonts.ready;
  // The result of the last click is rendered by the second frame from now.
  await new Promise(requestAnimationFrame);
  await new Promise(requestAnimationFrame);
}
