/** Loads scripts on demand. */
interface Policy {
  createScriptURL(address: string): string;
}
interface Policies {
  createPolicy(name: string, rules: Policy): Policy;
}

// URLs are built only from this site's own parts.
const policy = (globalThis as { readonly trustedTypes?: Policies }).trustedTypes?.createPolicy('agent-chat-site', {
  createScriptURL: (address) => address,
});

export function load(address: string, isModule = false): HTMLScriptElement {
  const script = document.createElement('script');
  if (isModule) script.type = 'module';
  script.src = policy?.createScriptURL(address) ?? address;
  document.head.append(script);
  return script;
}
