/** Offers a file for download. Its type is never one that a browser would open as a page of this site. */
export function downloadFile(content: BlobPart, name: string, mimeType = 'application/octet-stream'): void {
  const type = /html|svg|xml/i.test(mimeType) ? 'application/octet-stream' : mimeType;
  const url = URL.createObjectURL(new Blob([content], { type }));
  Object.assign(document.createElement('a'), { href: url, download: name }).click();
  setTimeout(() => {
    URL.revokeObjectURL(url);
  });
}
