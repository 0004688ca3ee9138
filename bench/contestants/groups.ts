/** How many blocks share one containment box. */
const GROUP = 32;

/** Gathers finished blocks in boxes that the browser lays out and paints by themselves, and skips out of sight. */
export function groupsIn(host: HTMLElement) {
  let group: HTMLElement | undefined;
  let count = GROUP;
  return {
    /** The box that the next block goes into. */
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
