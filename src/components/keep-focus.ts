import type { AgentChatMessageList } from './message-list.ts';

/** What has the focus, and where it goes when that is gone. */
interface Held {
  readonly element: Element;
  readonly next: () => HTMLElement | null | Promise<HTMLElement | null>;
}

/**
 * Keeps the focus in the widget: a control that has done its work often goes with it, and the focus would fall back to the
 * top of the page. What the focus was not in, or has left by itself, gets none.
 */
export function keepFocus(root: ShadowRoot, list: AgentChatMessageList): void {
  let held: Held | undefined;
  const isGone = ({ element }: Held): boolean => !root.contains(element) || element.matches(':disabled');

  const move = async (): Promise<void> => {
    if (!held || !isGone(held)) return;
    const { element, next } = held;
    held = undefined;
    // What was disabled still has it for a moment.
    if (isElsewhere(root, element)) return;
    list.focus({ preventScroll: true });
    const place = await next();
    if (!isElsewhere(root, list)) place?.focus({ preventScroll: true });
  };

  root.addEventListener('focusin', ({ target }) => {
    held =
      target instanceof Element && root.contains(target)
        ? { element: target, next: after(target, root, list) }
        : undefined;
  });
  root.addEventListener('focusout', ({ target }) => {
    // Some browsers tell it too when the element itself goes; what it is, is known when that has happened.
    queueMicrotask(() => {
      if (held?.element === target && !isGone(held)) held = undefined;
    });
  });
  new MutationObserver(() => void move()).observe(root, {
    childList: true,
    subtree: true,
    attributeFilter: ['disabled'],
  });
}

/** The reader, or the page, has put it somewhere else than there. */
function isElsewhere(root: ShadowRoot, there: Element): boolean {
  const { activeElement } = document;
  if (root.activeElement !== null) return root.activeElement !== there;
  return activeElement !== null && activeElement !== document.body;
}

/** From the composer to where one writes, from the invitation to the launcher, and else to what is being read. */
function after(element: Element, root: ShadowRoot, list: AgentChatMessageList): Held['next'] {
  const composer = element.closest('agent-chat-composer');
  // On a touch screen it would bring the keyboard up.
  if (composer && !matchMedia('(pointer: coarse)').matches) return () => composer.querySelector('textarea');
  if (element.closest('.teaser')) return () => root.querySelector<HTMLElement>('.launcher');
  if (element.closest('.branches')) return sameControl(element, list);
  return () => list;
}

/** The same button of the message that stands there now, or the other one where it leads no further. */
function sameControl(element: Element, list: AgentChatMessageList): Held['next'] {
  const messages = () => [...list.querySelectorAll('agent-chat-message')];
  const place = messages().findIndex((message) => message.contains(element));
  const label = element.getAttribute('aria-label');
  return async () => {
    const message = messages()[place];
    await message?.updateComplete;
    const buttons = [...(message?.querySelectorAll<HTMLButtonElement>('.branches button:enabled') ?? [])];
    return buttons.find((button) => button.getAttribute('aria-label') === label) ?? buttons[0] ?? null;
  };
}
