/** Dispatched when the user changes: whatever shows, plays or records something of the previous user must stop. */
const OWNER_CHANGE = 'owner-change';

/** Dispatches it to each element below a root. */
export function dispatchUserChange(root: ParentNode): void {
  for (const element of root.querySelectorAll('*')) element.dispatchEvent(new Event(OWNER_CHANGE));
}

/** Calls back when the user changes while the element is in the widget. */
export function onUserChange(element: EventTarget, act: () => void): void {
  element.addEventListener(OWNER_CHANGE, act);
}
