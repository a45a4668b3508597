const LONGEST_SIDE = 1280;

/**
 * A chosen picture as a JPEG data address that fits: at most 1280 px, smaller until it does. null: the browser cannot
 * read it.
 */
export async function shrink(file: Blob, maxCharacters: number): Promise<string | null> {
  try {
    const bitmap = await createImageBitmap(file);
    for (let side = LONGEST_SIDE; side >= 160; side = Math.round(side * 0.75)) {
      const scale = Math.min(1, side / Math.max(bitmap.width, bitmap.height));
      const canvas = document.createElement('canvas');
      canvas.width = Math.max(1, Math.round(bitmap.width * scale));
      canvas.height = Math.max(1, Math.round(bitmap.height * scale));
      const context = canvas.getContext('2d');
      if (!context) return null;
      context.fillStyle = '#fff';
      context.fillRect(0, 0, canvas.width, canvas.height);
      context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
      const address = canvas.toDataURL('image/jpeg', 0.82);
      if (address.length <= maxCharacters) return address;
    }
    return null;
  } catch {
    return null;
  }
}
