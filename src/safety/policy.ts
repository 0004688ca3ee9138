/** What makes trusted HTML where a page asks for it. */
interface Policy {
  createHTML(html: string): string;
}

interface PolicyFactory {
  createPolicy(name: string, rules: { createHTML(html: string): string }): Policy;
}

const KEY = Symbol.for('agent-chat.policy');

/**
 * The one Trusted Types policy of this package, shared by every copy of it on the page: a name can be taken only once. It
 * changes nothing, because what it is given is either a template of the build or has been through the sanitiser.
 */
export function trustedPolicy(): Policy | undefined {
  const scope = globalThis as { trustedTypes?: PolicyFactory; [KEY]?: Policy | undefined };
  scope[KEY] ??= scope.trustedTypes?.createPolicy('agent-chat', { createHTML: (html) => html });
  return scope[KEY];
}
