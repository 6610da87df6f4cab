// In a worker: a photo made upright and scaled down, away from the thread that draws the page.

/**
 * Width and height of a JPEG as they are stored, from its frame header; null where these bytes hold none.
 * @param {Uint8Array} bytes the file's beginning
 * @returns {[number, number] | null}
 */
function sizeOfJpeg(bytes) {
  if (bytes[0] !== 0xff || bytes[1] !== 0xd8) return null;
  for (let at = 2; at + 9 < bytes.length; ) {
    if (bytes[at] !== 0xff) return null;
    const marker = bytes[at + 1];
    const frame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (frame) return [bytes[at + 7] * 256 + bytes[at + 8], bytes[at + 5] * 256 + bytes[at + 6]];
    at += marker === 0xff ? 1 : 2 + bytes[at + 2] * 256 + bytes[at + 3];
  }
  return null;
}

/**
 * How many eighths of its size a JPEG is best decoded at: the most that is not much larger than asked for. Decoding at
 * eighths leaves out work, where decoding whole and scaling down adds some.
 * @param {number} longer @param {number} most
 */
function eighths(longer, most) {
  const close = Math.floor((most * 1.12 * 8) / longer);
  return (close * longer) / 8 >= most * 0.85 ? close : Math.ceil((most * 8) / longer);
}

/**
 * The whole photo upright, decoded at about the size asked for where the browser can; and whether its pixels lie as they
 * are shown, not turned only when they are drawn.
 * @param {Blob} file @param {number} most
 * @returns {Promise<[ImageBitmap, boolean]>}
 */
async function decode(file, most) {
  const Decoder = /** @type {any} */ (self).ImageDecoder;
  const size = Decoder ? sizeOfJpeg(new Uint8Array(await file.slice(0, 1 << 18).arrayBuffer())) : null;
  const n = size ? eighths(Math.max(...size), most) : 8;
  if (size && n >= 1 && n < 8) {
    const decoder = new Decoder({
      data: file.stream(),
      type: "image/jpeg",
      desiredWidth: Math.ceil((size[0] * n) / 8),
      desiredHeight: Math.ceil((size[1] * n) / 8),
    });
    try {
      const { image } = await decoder.decode();
      const bitmap = await createImageBitmap(image);
      const upright = image.rotation === 0 && image.flip === false;
      image.close();
      return [bitmap, upright];
    } catch {
      // What is wrong with the file is for the usual way to say.
    } finally {
      decoder.close();
    }
  }
  return [await createImageBitmap(file, { imageOrientation: "from-image" }), false];
}

/** @param {MessageEvent<{id: number, file: Blob, most: number, quality: number}>} event */
async function shrink({ data: { id, file, most, quality } }) {
  /** @param {object} said @param {Transferable[]} [given] */
  const tell = (said, given = []) => /** @type {any} */ (self).postMessage({ id, ...said }, given);
  try {
    let [bitmap, upright] = await decode(file, most);
    const longer = Math.max(bitmap.width, bitmap.height);
    const scale = longer > most * 1.12 ? most / longer : 1;
    const [wide, high] = [Math.max(1, Math.round(bitmap.width * scale)), Math.max(1, Math.round(bitmap.height * scale))];
    const canvas = new OffscreenCanvas(wide, high);
    const ready = upright && scale === 1 && canvas.getContext("bitmaprenderer");
    // Pixels that are right as they are change hands without being drawn.
    if (ready) ready.transferFromImageBitmap(await createImageBitmap(bitmap));
    else {
      const pen = canvas.getContext("2d", { alpha: false, willReadFrequently: true });
      if (!pen) throw new Error("no canvas");
      pen.imageSmoothingQuality = "high";
      pen.drawImage(bitmap, 0, 0, wide, high);
      bitmap.close();
      bitmap = await createImageBitmap(canvas);
    }
    // Shown at once, while it is still being packed.
    tell({ bitmap }, [bitmap]);
    tell({ blob: await canvas.convertToBlob({ type: "image/jpeg", quality }) });
  } catch {
    tell({ failed: true });
  }
}

self.onmessage = shrink;
