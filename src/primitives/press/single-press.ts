/**
 * A listener for the controls that answer or send: the second press of a double-click does nothing on a button or link.
 * It was meant for the control that the first press has used up, and another one may be in the same position by then.
 */
export const singlePress = {
  capture: true,
  handleEvent(event: MouseEvent): void {
    if (event.detail < 2 || !(event.target as Element).closest('button, a')) return;
    event.preventDefault();
    event.stopPropagation();
  },
};
