/** A downloaded file. */
export interface SavedFile {
  readonly name: string;
  readonly type: string;
  readonly text: string;
}

/** Records the downloads during a function, and prevents them. */
export async function savedBy(act: () => unknown): Promise<readonly SavedFile[]> {
  const { click } = HTMLAnchorElement.prototype;
  const saved: { readonly name: string; readonly body: Promise<Response> }[] = [];
  HTMLAnchorElement.prototype.click = function press(this: HTMLAnchorElement) {
    saved.push({ name: this.download, body: fetch(this.href) });
  };
  try {
    await act();
  } finally {
    HTMLAnchorElement.prototype.click = click;
  }
  return Promise.all(
    saved.map(async ({ name, body }) => {
      const blob = await (await body).blob();
      return { name, type: blob.type, text: await blob.text() };
    }),
  );
}
