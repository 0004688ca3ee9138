/**
 * The layout faults of a widget, a line for each. The function runs in a page, so it is self-contained:
 * without imports, and without functions of its own that have a name.
 *
 * - Nothing makes the page or the transcript scroll sideways, and nothing is cut off at a side without an ellipsis.
 * - No control is covered: a press on its middle reaches it.
 * - Every control is at least 24 px in both directions, but links in a text.
 * - Where the conversation is visible, the composer is completely in view.
 */
export function layoutProblems(): readonly string[] {
  const chat = document.querySelector('agent-chat');
  const root = chat?.shadowRoot;
  if (!root) return ['There is no widget.'];
  const problems = new Set<string>();
  const { clientWidth, clientHeight } = document.documentElement;
  if (document.documentElement.scrollWidth > clientWidth) problems.add('the page scrolls sideways');
  const transcript = root.querySelector('[part="transcript"]');
  if (transcript && transcript.scrollWidth > transcript.clientWidth) problems.add('the transcript scrolls sideways');

  const composer = root.querySelector('[part="composer"]');
  const place = composer?.getBoundingClientRect();
  const shown = composer?.checkVisibility({ checkOpacity: true, visibilityProperty: true }) === true;
  if (place && shown && (place.left < 0 || place.top < 0 || place.right > clientWidth || place.bottom > clientHeight))
    problems.add('the composer is out of sight');

  const open = root.querySelector('dialog[open]');
  for (const element of root.querySelectorAll<HTMLElement>('.panel *, .launcher, .teaser, .teaser *, dialog[open] *')) {
    const box = element.getBoundingClientRect();
    // Not rendered, or only for screen readers.
    if (!element.checkVisibility({ checkOpacity: true, visibilityProperty: true }) || box.width <= 1 || box.height <= 1)
      continue;
    const name = `${element.localName}${[...element.classList].map((word) => `.${word}`).join('')} “${element.textContent.trim().replace(/\s+/g, ' ').slice(0, 24)}”`;
    // Images have their own size, formulas have a hidden copy of their source.
    if (element.closest('svg, canvas, math, .formula-source, .hidden-visually')) continue;

    // Nothing clips content of the top layer.
    let around = element.matches(':popover-open') ? null : element.parentElement;
    while (around && getComputedStyle(around).overflowX === 'visible')
      around = around.matches(':popover-open') ? null : around.parentElement;
    if (around) {
      const { overflowX, textOverflow } = getComputedStyle(around);
      const edge = around.getBoundingClientRect();
      const scrolls = (overflowX === 'auto' || overflowX === 'scroll') && around !== transcript;
      const out = box.left < edge.left - 1 || box.right > edge.right + 1;
      if (out && !scrolls && textOverflow !== 'ellipsis') problems.add(`${name} is cut off at a side`);
    }
    const own = getComputedStyle(element);
    const cuts = own.overflowX === 'hidden' || own.overflowX === 'clip';
    const clamped = own.textOverflow === 'ellipsis' || own.webkitLineClamp !== 'none';
    if (cuts && !clamped && element.scrollWidth > element.clientWidth + 1)
      problems.add(`${name} cuts its content off at a side`);
    if (cuts && !clamped && element.scrollHeight > element.clientHeight + 2)
      problems.add(`${name} cuts its content off below`);

    if (!element.matches('button, a[href], input, select, textarea, summary, [role="option"]')) continue;
    const label = element.matches('input[type="checkbox"], input[type="radio"]') ? element.closest('label') : null;
    const target = (label ?? element).getBoundingClientRect();
    const larger = getComputedStyle(element, '::after');
    const width = Math.max(target.width, larger.position === 'absolute' ? parseFloat(larger.width) : 0);
    const height = Math.max(target.height, larger.position === 'absolute' ? parseFloat(larger.height) : 0);
    const inText = own.display === 'inline' || element.closest('.prose, .source-list') !== null;
    if (!inText && (width < 23.9 || height < 23.9) && !element.hasAttribute('disabled'))
      problems.add(`${name} is a target of ${width.toFixed(0)} × ${height.toFixed(0)}`);

    // Inert content is covered on purpose.
    if (element.closest('[inert]')) continue;
    // An open panel may cover the launcher that has opened it.
    if ((open && !open.contains(element)) || own.display === 'inline' || element.matches('.launcher')) continue;
    const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
    if (x < 0 || y < 0 || x > clientWidth || y > clientHeight) continue;
    // Its scroll containers, the innermost first: it is visible if all of them show it.
    const scrollers: Element[] = [];
    for (let around = element.parentElement; around; around = around.parentElement)
      if (/auto|scroll/.test(getComputedStyle(around).overflowY)) scrollers.push(around);
    const sights = scrollers.map((around) => around.getBoundingClientRect());
    if (sights.some((sight) => y < sight.top || y > sight.bottom)) continue;
    const hit = root.elementFromPoint(x, y);
    // A menu covers other content until it closes.
    if (hit?.closest('.menu')) continue;
    if (!hit || element.contains(hit) || hit.contains(element) || label?.contains(hit)) continue;
    // Content below these is one scroll away.
    let over: Element | null = hit;
    while (over && !scrollers.includes(over) && getComputedStyle(over).position !== 'sticky') over = over.parentElement;
    if (over && !scrollers.includes(over)) continue;
    if (!hit.matches('.scroll-button *, .scroll-button'))
      problems.add(`${name} lies under ${hit.localName}.${hit.getAttribute('class') ?? ''}`);
  }
  return [...problems];
}
