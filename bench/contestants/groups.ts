/** Blocks per containment box. */
const GROUP = 32;

/** Groups finished blocks in boxes that the browser lays out and paints independently, and skips off-screen. */
export function createGroups(host: HTMLElement) {
  let group: HTMLElement | undefined;
  let count = GROUP;
  return {
    /** Returns the box for the next block. */
    next(): HTMLElement {
      if (!group || count === GROUP) {
        group = document.createElement('div');
        group.className = 'group';
        host.append(group);
        count = 0;
      }
      count++;
      return group;
    },
  };
}
