/**
 * Copies text to the clipboard, optionally with HTML. Resolves to whether it worked: the page may forbid it or lack a
 * secure context.
 */
export async function copyText(text: string, markup = ''): Promise<boolean> {
  try {
    if (markup === '') await navigator.clipboard.writeText(text);
    else await navigator.clipboard.write([new ClipboardItem(itemOf({ 'text/plain': text, 'text/html': markup }))]);
    return true;
  } catch {
    return false;
  }
}

const itemOf = (forms: Readonly<Record<string, string>>): Record<string, Blob> =>
  Object.fromEntries(Object.entries(forms).map(([type, text]) => [type, new Blob([text], { type })]));
