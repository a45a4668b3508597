/** Small WebGL 2 pieces. Whoever makes something here deletes it with the layer that used it. */

/** Compiles a program; throws with the compiler's log. */
export function makeProgram(gl: WebGL2RenderingContext, vertex: string, fragment: string): WebGLProgram {
  const program = gl.createProgram();
  for (const [kind, source] of [
    [gl.VERTEX_SHADER, vertex],
    [gl.FRAGMENT_SHADER, fragment],
  ] as const) {
    const shader = gl.createShader(kind);
    if (!shader) throw new Error('The graphics context is lost.');
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
    gl.deleteShader(shader);
  }
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS) && !gl.isContextLost()) {
    const logs = (gl.getAttachedShaders(program) ?? []).map((shader) => gl.getShaderInfoLog(shader));
    throw new Error(`A map shader does not link: ${gl.getProgramInfoLog(program) ?? ''} ${logs.join(' ')}`);
  }
  return program;
}

/** A program with its uniforms by name. */
export class Program {
  readonly handle: WebGLProgram;
  private readonly gl: WebGL2RenderingContext;
  private readonly places = new Map<string, WebGLUniformLocation | null>();

  constructor(gl: WebGL2RenderingContext, vertex: string, fragment: string) {
    this.gl = gl;
    this.handle = makeProgram(gl, vertex, fragment);
  }

  use(): this {
    this.gl.useProgram(this.handle);
    return this;
  }

  at(name: string): WebGLUniformLocation | null {
    let place = this.places.get(name);
    if (place === undefined) this.places.set(name, (place = this.gl.getUniformLocation(this.handle, name)));
    return place;
  }

  numbers(values: Record<string, number>): this {
    for (const [name, value] of Object.entries(values)) this.gl.uniform1f(this.at(name), value);
    return this;
  }

  texture(name: string, unit: number, texture: WebGLTexture): this {
    this.gl.activeTexture(this.gl.TEXTURE0 + unit);
    this.gl.bindTexture(this.gl.TEXTURE_2D, texture);
    this.gl.uniform1i(this.at(name), unit);
    return this;
  }

  delete(): void {
    this.gl.deleteProgram(this.handle);
  }
}

/** An offscreen picture of light: half floats where the machine can draw into them, else 8 bits. */
export class LightTarget {
  readonly texture: WebGLTexture;
  private readonly frame: WebGLFramebuffer;
  private readonly gl: WebGL2RenderingContext;
  private readonly float: boolean;
  width = 0;
  height = 0;

  constructor(gl: WebGL2RenderingContext, float: boolean) {
    this.gl = gl;
    this.float = float;
    this.texture = gl.createTexture();
    this.frame = gl.createFramebuffer();
    gl.bindTexture(gl.TEXTURE_2D, this.texture);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.LINEAR);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE);
  }

  /** Makes it this large; it only ever grows or follows a new window size. */
  resize(width: number, height: number): void {
    if (width === this.width && height === this.height) return;
    const { gl } = this;
    this.width = width;
    this.height = height;
    gl.bindTexture(gl.TEXTURE_2D, this.texture);
    if (this.float) gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA16F, width, height, 0, gl.RGBA, gl.HALF_FLOAT, null);
    else gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, width, height, 0, gl.RGBA, gl.UNSIGNED_BYTE, null);
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.frame);
    gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, this.texture, 0);
  }

  /** Draws into its lower left part of this size from now on. */
  begin(width: number, height: number): void {
    this.gl.bindFramebuffer(this.gl.FRAMEBUFFER, this.frame);
    this.gl.viewport(0, 0, width, height);
  }

  delete(): void {
    this.gl.deleteTexture(this.texture);
    this.gl.deleteFramebuffer(this.frame);
  }
}
