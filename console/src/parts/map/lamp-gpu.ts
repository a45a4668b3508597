import { lampColour, ratedEnergy } from './light.ts';
import { severity, type LampField } from './lamp-field.ts';

/**
 * The lamps on the graphics card: one float buffer in four blocks (positions, light, level, look), so that a change of
 * one lamp is one float in a block and `bufferSubData` of the changed span. Shared by the light and the shape layer.
 */
export class LampGpu {
  readonly count: number;
  private readonly gl: WebGL2RenderingContext;
  private readonly field: LampField;
  private readonly buffer: WebGLBuffer;
  private readonly vertices: WebGLVertexArrayObject;
  private readonly levels: Float32Array;
  private readonly looks: Float32Array;
  private readonly indexes: WebGLBuffer;
  private readonly order: Uint32Array;
  /** How many lamps are well: the first of `order`. */
  private well = 0;

  constructor(gl: WebGL2RenderingContext, field: LampField) {
    this.gl = gl;
    this.field = field;
    this.count = field.size;
    this.levels = new Float32Array(this.count);
    this.looks = new Float32Array(this.count);
    this.order = new Uint32Array(this.count);
    this.indexes = gl.createBuffer();
    this.buffer = gl.createBuffer();
    this.vertices = gl.createVertexArray();
    gl.bindVertexArray(this.vertices);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.buffer);
    gl.bufferData(gl.ARRAY_BUFFER, Math.max(1, this.count) * 8 * 4, gl.DYNAMIC_DRAW);
    gl.bufferSubData(gl.ARRAY_BUFFER, 0, field.positions);
    gl.bufferSubData(gl.ARRAY_BUFFER, this.start(2), lightColumn(field));
    [
      [0, 2, 0],
      [1, 4, 2],
      [2, 1, 6],
      [3, 1, 7],
    ].forEach(([place, size, block]) => {
      gl.enableVertexAttribArray(place!);
      gl.vertexAttribPointer(place!, size!, gl.FLOAT, false, 0, this.start(block!));
    });
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, this.indexes);
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, Math.max(1, this.count) * 4, gl.DYNAMIC_DRAW);
    gl.bindVertexArray(null);
    field.takeDirty();
    this.upload(0, this.count - 1);
  }

  /** Takes over what changed in the field since the last call; false when nothing did. */
  update(): boolean {
    const span = this.field.takeDirty();
    if (!span) return false;
    this.upload(span[0], span[1]);
    return true;
  }

  draw(): void {
    if (this.count === 0) return;
    this.gl.bindVertexArray(this.vertices);
    this.gl.drawArrays(this.gl.POINTS, 0, this.count);
    this.gl.bindVertexArray(null);
  }

  /** Only lamps that are not well, the worst last, so that an alarm lies on top. */
  drawBad(): void {
    if (this.well === this.count) return;
    this.gl.bindVertexArray(this.vertices);
    this.gl.drawElements(this.gl.POINTS, this.count - this.well, this.gl.UNSIGNED_INT, this.well * 4);
    this.gl.bindVertexArray(null);
  }

  delete(): void {
    this.gl.deleteBuffer(this.indexes);
    this.gl.deleteBuffer(this.buffer);
    this.gl.deleteVertexArray(this.vertices);
  }

  /** Byte offset of a block that has `floats` floats a lamp before it. */
  private start(floats: number): number {
    return this.count * floats * 4;
  }

  private upload(from: number, to: number): void {
    const { gl, field } = this;
    if (to < from) return;
    for (let index = from; index <= to; index++) {
      this.levels[index] = field.levels[index]!;
      this.looks[index] = field.states[index]! + (field.selected[index] ? 8 : 0) + (field.visible[index] ? 0 : 16);
    }
    this.well = sortBySeverity(field.states, this.order);
    gl.bindVertexArray(this.vertices);
    gl.bufferSubData(gl.ELEMENT_ARRAY_BUFFER, 0, this.order);
    gl.bindVertexArray(null);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.buffer);
    gl.bufferSubData(gl.ARRAY_BUFFER, this.start(6) + from * 4, this.levels.subarray(from, to + 1));
    gl.bufferSubData(gl.ARRAY_BUFFER, this.start(7) + from * 4, this.looks.subarray(from, to + 1));
  }
}

/** Writes the indexes of `states` into `order`, the well first, then by severity; returns how many are well. */
export function sortBySeverity(states: ArrayLike<number>, order: Uint32Array): number {
  const starts = new Uint32Array(Math.max(...severity) + 2);
  for (let index = 0; index < states.length; index++) starts[(severity[states[index]!] ?? 0) + 1]!++;
  const well = starts[1]!;
  for (let bad = 1; bad < starts.length; bad++) starts[bad]! += starts[bad - 1]!;
  for (let index = 0; index < states.length; index++) order[starts[severity[states[index]!] ?? 0]!++] = index;
  return well;
}

function lightColumn(field: LampField): Float32Array {
  const light = new Float32Array(field.size * 4);
  for (let index = 0; index < field.size; index++) {
    light.set(lampColour(field.cct[index]!), index * 4);
    light[index * 4 + 3] = ratedEnergy(field.ratedWatts[index]!);
  }
  return light;
}

/** The map's matrix (Mercator 0…1 to clip space, double precision) for positions in local units. */
export function localMatrix(matrix: ArrayLike<number>, field: LampField): Float32Array {
  const { originX, originY, unit } = field.place;
  const local = new Float32Array(16);
  for (let row = 0; row < 4; row++) {
    local[row] = matrix[row]! * unit;
    local[4 + row] = matrix[4 + row]! * unit;
    local[8 + row] = matrix[8 + row]!;
    local[12 + row] = matrix[row]! * originX + matrix[4 + row]! * originY + matrix[12 + row]!;
  }
  return local;
}
