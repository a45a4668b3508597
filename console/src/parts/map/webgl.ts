/** Whether this browser can draw the map at all. Asked once: a context costs memory until it is given back. */
let answer: boolean | undefined;

export function hasWebGl(): boolean {
  if (answer !== undefined) return answer;
  try {
    const gl = document.createElement('canvas').getContext('webgl2');
    gl?.getExtension('WEBGL_lose_context')?.loseContext();
    answer = gl !== null;
  } catch {
    answer = false;
  }
  return answer;
}
