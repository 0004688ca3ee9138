/** Dispatched when another user is signed in: everything that shows, plays or records something of the previous one must stop. */
const OWNER_CHANGE = 'owner-change';

/** Reports to each element below a root that another user is signed in. */
export function dispatchUserSwitch(root: ParentNode): void {
  for (const element of root.querySelectorAll('*')) element.dispatchEvent(new Event(OWNER_CHANGE));
}

/** Calls back when another user is signed in while the element is in the widget. */
export function onUserSwitch(element: EventTarget, act: () => void): void {
  element.addEventListener(OWNER_CHANGE, act);
}
