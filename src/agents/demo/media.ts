/** An image and a sound that need no network. */

/** Hills in the evening, as a PNG of eight colours. */
export const HILLS =
  'iVBORw0KGgoAAAANSUhEUgAAAeAAAAEOBAMAAACjtNlUAAAAGFBMVEX248/0uGrJw8SPo6hbe3o4V07Zazy4UiwdW6PFAAADsklEQVR42u3b' +
  '620bMRCF0bHTQNSBQLkCjSuImA6s/luJESdGrKxWu+QMOY/7/TYMHF9y8/CKCCGEEEIIIYQQQgghhBBCCCGEEEIIIYQQQggh3z0dPsriPXz2' +
  'PdO8aUb+4k2w8eGQS/x0Cz5k8wYXL3hDH+qlgUNPvOgNPPHywIEnTge+4w17pu8NHHbidOC73qBn+v7AQScGODp4xRvzEgMcHLx2hUNeYoAB' +
  'BhhggAEGGGCAAQYYYIDx72GAM4Dx37QA57nEQX9fil+Xhn8FINsbAHipJf6LWtne08r3Jl66dy3zvU2b7n3pfG/E5/vMQ75Ptcz83FK513HM' +
  'yOOkz2VTIc7TRmsM9W6sa3TpLMe0Ls1CWidmUa19c1Eql3bEX01MHGXLM5cxHdOMa2nmodz5M5cZHXNxp53s5zK1ZNzRJ7vY6JiLO4pcjBX+' +
  '6o4lF5ulA+td5lKSkUtJRi7GSwcWJxcHHbOBRcnFS+nAUjMXV6UDC8xc/JUO3DdzcdoxG7jZXFy3YublnIOXn2G8UgDwVzQ/KAj443h/48e9' +
  '/0TOMbwn3tTHETgn0X6C3/PM5R39c8nP0ce9Bbucmfd2+xgPzv0f7InMLAJ2cplPzGJgB+RW7j2wcXI79z7YMLmHuwa2+vhiVgNbJDOrgq2R' +
  'mdXBlsjMQ8BWnl4nHgU2QRbibgRPJ4txN4PnXmXmCeB5ZOZJ4Dlk5ong8WTmyeCxT68TzwcPJGtwW8CDyDrcNvAAsha3FaxM1uO2gxXJmtwe' +
  'sBJZl9sHVvhzWZvbDZYl84Co/1ucvYwrBRaZmUdFQt9n68wv9U8/xo8rCn48c11s5LjS4BVzXc0xeOlsv9QNXfyCb9B1c57Bf9UvdVcX32Cu' +
  '+7s4BtfGnIJrRw7BtTNn4Nfa3cURWICrSiZjp1n9XJNRrhqZ7J1m3XNNVufVGpnMzqs0MpnmKoxMZk+zEplszyt/rsn6vNIjk/l5hUcmB/OK' +
  'jkwe5pUcmXzMKzcyOZlXbGRyM6/QyORnXpmRydO8EiOTN27vyOToNIuQydu8veeaXHI7RiZvp7mXTF65rWRyeJq7rjJ55raQyTd3P5k83t2e' +
  'u0z+ufvIFEC762ST15vbZn6tFGDbrWf79xfQ0pdU563NRzVZAAMMMMAAAwwwwAADDDDAAAMMMMB6Xbf35hh87csP+CqbXfDPq2YtZ50ET4vi' +
  'pHJwEr4m15m9tYCbfmxXa7WAgwYwwAADDDDAAAMMMMAAAwwwwAADDDDAAANsq1+m/Vp+ERkHNQAAAABJRU5ErkJggg==';

const RATE = 8000;
const SECONDS = 0.6;

/** Generates two soft tones as a WAV file in base64. */
export function chime(): string {
  const count = RATE * SECONDS;
  const bytes = new Uint8Array(44 + count);
  const view = new DataView(bytes.buffer);
  const text = (offset: number, tag: string): void => {
    bytes.set(new TextEncoder().encode(tag), offset);
  };
  text(0, 'RIFF');
  view.setUint32(4, 36 + count, true);
  text(8, 'WAVEfmt ');
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true); // PCM
  view.setUint16(22, 1, true); // mono
  view.setUint32(24, RATE, true);
  view.setUint32(28, RATE, true);
  view.setUint16(32, 1, true);
  view.setUint16(34, 8, true); // bits
  text(36, 'data');
  view.setUint32(40, count, true);
  for (let index = 0; index < count; index++) {
    const time = index / RATE;
    const tone = time < SECONDS / 2 ? 660 : 880;
    bytes[44 + index] = 128 + 60 * Math.sin(2 * Math.PI * tone * time) * Math.exp(-5 * (time % (SECONDS / 2)));
  }
  return btoa(String.fromCharCode(...bytes));
}
