import { nothing, render } from 'lit';
import { patchText } from '../../primitives/patch-text.ts';
import { sanitizeHtml, type ModelImage } from '../../safety/sanitize.ts';
import { adoptStylesheet, createStylesheet } from '../../theme/stylesheet.ts';
import css from './html.css?inline';
import type { MarkdownView } from './markdown-context.ts';

const htmlSheet = createStylesheet(css);

/** Number of blocks that are sanitized in one frame: hundreds may have waited for the sanitizer. */
const BLOCKS_PER_FRAME = 64;
const FRAME_MS = 16;
let blocksInFrame = 0;

/** Waits for a frame with time for another block. */
export async function frameWithTime(): Promise<void> {
  while (blocksInFrame >= BLOCKS_PER_FRAME) await new Promise((resolve) => setTimeout(resolve, FRAME_MS));
  if (blocksInFrame++ > 0) return;
  setTimeout(() => {
    blocksInFrame = 0;
  }, FRAME_MS);
}

/** Renders sanitized HTML. `containers` collects the elements that were rendered as images; they are not patched. */
export function renderHtml(host: Node, source: string, view: MarkdownView, containers: WeakSet<Node>): void {
  adoptStylesheet(host, htmlSheet);
  const { nodes, images } = sanitizeHtml(source);
  const imagesByNode = new Map<Node, ModelImage>(images.map((image) => [image.place, image]));
  patchChildren(host, nodes, { containers, imagesByNode });
  for (const [container, { src, alt }] of imagesByNode) {
    containers.add(container);
    render(src ? view.image(src, alt) : nothing, container as HTMLElement);
  }
}

interface Images {
  readonly containers: WeakSet<Node>;
  readonly imagesByNode: Map<Node, ModelImage>;
}

/** Patches a node's children to match another node's. Equal nodes are kept. */
function patchChildren(container: Node, target: Node, images: Images): void {
  const { containers, imagesByNode } = images;
  let element = container.firstChild;
  for (const source of [...target.childNodes]) {
    if (!element) {
      container.appendChild(source);
      continue;
    }
    const next = element.nextSibling;
    const image = imagesByNode.get(source);
    const isAlike = element.nodeName === source.nodeName && containers.has(element) === (image !== undefined);
    if (!isAlike) container.replaceChild(source, element);
    else if (image) {
      imagesByNode.delete(source);
      imagesByNode.set(element, image);
    } else if (element instanceof Text && source instanceof Text) patchText(element, element.data, source.data);
    else if (element instanceof Element && source instanceof Element) {
      copyAttributes(element, source);
      patchChildren(element, source, images);
    }
    element = next;
  }
  while (element) {
    const next = element.nextSibling;
    container.removeChild(element);
    element = next;
  }
}

/** Without `open`: after the first render, the user decides whether `<details>` is open. */
function copyAttributes(element: Element, source: Element): void {
  for (const { name } of [...element.attributes])
    if (name !== 'open' && !source.hasAttribute(name)) element.removeAttribute(name);
  for (const { name, value } of source.attributes)
    if (name !== 'open' && element.getAttribute(name) !== value) element.setAttribute(name, value);
}
