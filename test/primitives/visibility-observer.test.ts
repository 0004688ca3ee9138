import { expect, fixture, html, waitUntil } from '@open-wc/testing';
import { observeVisibility, unobserveVisibility } from '../../src/primitives/visibility-observer.ts';

const FAR = 10_000;

/** Records what is observed while the test runs. */
function recordObserved(): { readonly elements: Set<Element>; restore(): void } {
  const elements = new Set<Element>();
  const { prototype } = IntersectionObserver;
  const { observe, unobserve } = prototype;
  prototype.observe = function (element): void {
    elements.add(element);
    observe.call(this, element);
  };
  prototype.unobserve = function (element): void {
    elements.delete(element);
    unobserve.call(this, element);
  };
  return { elements, restore: () => Object.assign(prototype, { observe, unobserve }) };
}

async function page() {
  const scroller = await fixture<HTMLElement>(html`
    <div style="block-size: 300px; overflow: auto">
      <p>alone</p>
      <div style="block-size: ${FAR}px"></div>
      <div class="prose-group">
        <p>one</p>
        <p>two</p>
      </div>
    </div>
  `);
  const [alone, one, two] = scroller.querySelectorAll('p');
  const box = scroller.querySelector('.prose-group');
  if (!alone || !one || !two || !box) throw new Error('The page lacks an element.');
  return { scroller, box, alone, one, two };
}

describe('the visibility of an element', () => {
  let observed: ReturnType<typeof recordObserved>;
  beforeEach(() => {
    observed = recordObserved();
  });
  afterEach(() => {
    observed.restore();
  });

  it('observes only the box of elements that are far away', async () => {
    const { box, one, two } = await page();
    for (const element of [one, two]) observeVisibility(element, () => undefined);
    expect([...observed.elements]).to.deep.equal([box]);
    for (const element of [one, two]) unobserveVisibility(element);
    expect(observed.elements.size).to.equal(0);
  });

  it('calls back when the element comes into view with its box, and when it leaves', async () => {
    const { scroller, alone, one, two } = await page();
    const visible = new Map<Element, boolean>();
    for (const element of [alone, one, two]) observeVisibility(element, (isVisible) => visible.set(element, isVisible));
    await waitUntil(() => visible.get(alone) === true, 'the element without a box is visible');
    await waitUntil(() => visible.get(one) === false && visible.get(two) === false, 'those of the box are not');
    scroller.scrollTop = FAR;
    await waitUntil(() => visible.get(one) === true && visible.get(two) === true, 'those of the box are visible');
    expect(visible.get(alone)).to.equal(false);
    scroller.scrollTop = 0;
    await waitUntil(() => visible.get(one) === false && visible.get(two) === false, 'they are no longer visible');
    for (const element of [alone, one, two]) unobserveVisibility(element);
    expect(observed.elements.size).to.equal(0);
  });

  it('calls back at once for an element that is added to a box out of view', async () => {
    const { box, one } = await page();
    let isOneVisible: boolean | undefined;
    observeVisibility(one, (isVisible) => (isOneVisible = isVisible));
    await waitUntil(() => isOneVisible === false);
    const added = document.createElement('p');
    box.append(added);
    let isAddedVisible: boolean | undefined;
    observeVisibility(added, (isVisible) => (isAddedVisible = isVisible));
    expect(isAddedVisible).to.equal(false);
    expect(observed.elements.has(added)).to.equal(false);
    for (const element of [one, added]) unobserveVisibility(element);
  });

  it('calls back for an element that is added to a box in view', async () => {
    const { scroller, box, one } = await page();
    scroller.scrollTop = FAR;
    let isOneVisible = false;
    observeVisibility(one, (isVisible) => (isOneVisible = isVisible));
    await waitUntil(() => isOneVisible);
    const added = document.createElement('p');
    box.append(added);
    let isAddedVisible = false;
    observeVisibility(added, (isVisible) => (isAddedVisible = isVisible));
    await waitUntil(() => isAddedVisible);
    for (const element of [one, added]) unobserveVisibility(element);
  });
});
