/** The base64 of a data URL, which servers and `FileReader` write instead of the base64 alone; other text unchanged. */
export const withoutDataUrl = (data: string): string => data.replace(/^data:[^,]*;base64,/i, '');

/** The MIME type that a data URL names. */
export const mimeTypeOfDataUrl = (data: string): string | undefined => /^data:([^;,]+)/i.exec(data)?.[1];
