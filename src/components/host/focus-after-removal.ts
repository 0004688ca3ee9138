import type { AgentChatMessageList } from '../transcript/message-list.ts';

interface FocusRecord {
  /** The focused element. */
  readonly element: Element;
  /** Returns the element to focus when `element` is removed or disabled. */
  readonly next: () => HTMLElement | null | Promise<HTMLElement | null>;
}

/**
 * Keeps the focus in the widget when the focused control is removed or disabled; otherwise it would fall back to the top of the page.
 * It does nothing if the focus was outside the widget or was moved by the user or the page.
 */
export function restoreLostFocus(root: ShadowRoot, list: AgentChatMessageList): void {
  let focused: FocusRecord | undefined;
  const isGone = ({ element }: FocusRecord): boolean => !root.contains(element) || element.matches(':disabled');

  const restore = async (): Promise<void> => {
    if (!focused || !isGone(focused)) return;
    const { element, next } = focused;
    focused = undefined;
    // A control that was just disabled may still have the focus.
    if (isElsewhere(root, element)) return;
    // Focus the transcript meanwhile, because `next` may be asynchronous.
    list.focus({ preventScroll: true });
    const target = await next();
    if (!isElsewhere(root, list)) target?.focus({ preventScroll: true });
  };

  root.addEventListener('focusin', ({ target }) => {
    focused =
      target instanceof Element && root.contains(target)
        ? { element: target, next: nextTarget(target, root, list) }
        : undefined;
  });
  root.addEventListener('focusout', ({ target }) => {
    // Some browsers also fire this event when the element is removed, so the check runs after the removal.
    queueMicrotask(() => {
      if (focused?.element === target && !isGone(focused)) focused = undefined;
    });
  });
  new MutationObserver(() => void restore()).observe(root, {
    childList: true,
    subtree: true,
    attributeFilter: ['disabled'],
  });
}

/** Whether the user or the page has moved the focus away from an element. */
function isElsewhere(root: ShadowRoot, element: Element): boolean {
  const { activeElement } = document;
  if (root.activeElement !== null) return root.activeElement !== element;
  return activeElement !== null && activeElement !== document.body;
}

/**
 * Returns how to find the next focus target: the text field for the composer, the launcher for the teaser, a branch button for a branch
 * button, otherwise the transcript. Called while `element` is still in the document, because a removed element has no ancestors.
 */
function nextTarget(element: Element, root: ShadowRoot, list: AgentChatMessageList): FocusRecord['next'] {
  const composer = element.closest('agent-chat-composer');
  // On a touch screen, focusing the text field would open the on-screen keyboard.
  if (composer && !matchMedia('(pointer: coarse)').matches) return () => composer.querySelector('textarea');
  if (element.closest('.teaser')) return () => root.querySelector<HTMLElement>('.launcher');
  if (element.closest('.branches')) return sameBranchButton(element, list);
  return () => list;
}

/** Finds the same branch button in the message that is now at this index, or the other branch button if that is disabled. */
function sameBranchButton(element: Element, list: AgentChatMessageList): FocusRecord['next'] {
  const messages = () => [...list.querySelectorAll('agent-chat-message')];
  const index = messages().findIndex((message) => message.contains(element));
  const label = element.getAttribute('aria-label');
  return async () => {
    const message = messages()[index];
    await message?.updateComplete;
    const buttons = [...(message?.querySelectorAll<HTMLButtonElement>('.branches button:enabled') ?? [])];
    return buttons.find((button) => button.getAttribute('aria-label') === label) ?? buttons[0] ?? null;
  };
}
