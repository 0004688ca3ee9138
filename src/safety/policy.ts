/** Creates TrustedHTML if the page requires it. */
interface Policy {
  createHTML(html: string): string;
}

interface PolicyFactory {
  createPolicy(name: string, rules: { createHTML(html: string): string }): Policy;
}

const KEY = Symbol.for('agent-chat.policy');

/**
 * The only Trusted Types policy of this package, shared by every copy of it on the page, because a name can be used
 * only once. It returns its input unchanged: that is either a template of the build or sanitized.
 */
export function trustedPolicy(): Policy | undefined {
  const scope = globalThis as { trustedTypes?: PolicyFactory; [KEY]?: Policy | undefined };
  scope[KEY] ??= scope.trustedTypes?.createPolicy('agent-chat', { createHTML: (html) => html });
  return scope[KEY];
}
