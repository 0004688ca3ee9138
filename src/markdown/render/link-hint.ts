import { deceptiveTarget } from '../../safety/link-text.ts';
import { safeLink, withoutInvisible } from '../../safety/urls.ts';

/** The tooltip of an element around a link; undefined if it names another target, because browsers show it for the link. */
export function hintOf(href: string, hint: string): string | undefined {
  const url = safeLink(href);
  return url && deceptiveTarget(url, hint) !== undefined ? undefined : withoutInvisible(hint);
}
