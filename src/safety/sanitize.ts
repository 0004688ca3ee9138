import createDOMPurify, { type Config } from 'dompurify';
import { ALLOWED_ELEMENTS, allowedAttributes } from './allow-list.ts';
import { filterHtml } from './html-tags.ts';
import { trustedPolicy } from './policy.ts';
import { deceptiveHost, safeLink, withoutBidi } from './urls.ts';

const purify = createDOMPurify();

/**
 * The policy is shared and pass-through: DOMPurify's own name would be taken when a second copy loads. Its types ask for a
 * `TrustedTypePolicy`, of which it calls `createHTML` alone.
 */
const policy = trustedPolicy() as Config['TRUSTED_TYPES_POLICY'] | undefined;

const config = {
  ALLOWED_TAGS: [...ALLOWED_ELEMENTS],
  ALLOWED_ATTR: [...allowedAttributes],
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  KEEP_CONTENT: true,
  RETURN_DOM_FRAGMENT: true,
  ...(policy && { TRUSTED_TYPES_POLICY: policy }),
} as const satisfies Config;

/** The link policy, for every link that HTML of a model makes. */
function tameLink(link: Element): void {
  const url = safeLink(link.getAttribute('href') ?? '');
  if (!url) {
    link.removeAttribute('href');
    return;
  }
  link.setAttribute('href', url.href);
  link.setAttribute('dir', 'auto');
  link.setAttribute('target', '_blank');
  link.setAttribute('rel', 'noopener noreferrer nofollow');
  const host = deceptiveHost(url, link.textContent);
  if (!host) return;
  const real = link.ownerDocument.createElement('span');
  real.className = 'real-host';
  real.textContent = `(${host})`;
  link.after(' ', real);
}

/** A picture in HTML that a model wrote: its place in the nodes is an empty `<span>`. */
export interface ForeignImage {
  readonly place: Element;
  readonly src: string;
  readonly alt: string;
}

/**
 * HTML that a model wrote, as nodes of this document. Pictures are taken out while the nodes are still inert, and given
 * beside them: showing one is a decision of its own.
 */
export function sanitizeHtml(html: string): {
  readonly nodes: DocumentFragment;
  readonly images: readonly ForeignImage[];
} {
  const nodes = purify.sanitize(filterHtml(html), config);
  const images = [...nodes.querySelectorAll('img')].map((image) => {
    const place = nodes.ownerDocument.createElement('span');
    image.replaceWith(place);
    return { place, src: image.getAttribute('src') ?? '', alt: image.getAttribute('alt') ?? '' };
  });
  for (const link of nodes.querySelectorAll('a')) tameLink(link);
  for (const named of nodes.querySelectorAll('[title]'))
    named.setAttribute('title', withoutBidi(named.getAttribute('title') ?? ''));
  document.adoptNode(nodes);
  return { nodes, images };
}
