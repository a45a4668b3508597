/** A mobile number of 11 digits, perhaps with the country before it, that stands by itself in a text. */
const numbers = /(?<!\d)((?:86)?1[3-9]\d)\d{4}(\d{4})(?!\d)/g;

/** A text with the telephone numbers in it masked: 139****5678. */
export const maskTelephones = (text: string): string => text.replaceAll(numbers, '$1****$2');
