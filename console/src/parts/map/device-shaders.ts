/** GLSL of the device map: dots from afar, pictures from near. Columns of the mark buffer; see DeviceLayers. */
const inputs = `#version 300 es
precision highp float;
layout(location=0) in vec2 a_position;
layout(location=1) in float a_look;
layout(location=2) in float a_kind;
uniform mat4 u_matrix;
uniform float u_size;
int stateOf() { return int(mod(a_look, 8.0) + 0.5); }
vec4 nowhere() { return vec4(2.0, 2.0, 2.0, 1.0); }
`;

/** A place from afar where all is well: a dot in the colour of its state. What is not well has its shape. */
export const markVertex = `${inputs}
uniform vec3 u_colours[8];
uniform float u_bad[8];
uniform float u_shrink;
out vec4 v_colour;
flat out int v_state;
void main() {
  int state = stateOf();
  if (u_bad[state] > 0.0) { gl_Position = nowhere(); return; }
  gl_Position = u_matrix * vec4(a_position, 0.0, 1.0);
  gl_Position.xy *= u_shrink;
  gl_PointSize = u_size;
  v_state = state;
  v_colour = vec4(u_colours[state], 1.0);
}`;

/**
 * A picture of the atlas. `u_what`: 0 state, 1 family, 2 how many, 3 the ring of the selected, 4 a state at the
 * family's corner. `u_offset` in clip units; `u_shrink`: factor on clip positions.
 */
export const pictureVertex = `${inputs}
uniform int u_what;
uniform vec4 u_first;
uniform vec2 u_offset;
uniform float u_shrink;
out float v_cell;
void main() {
  float count = floor(a_kind / 32.0);
  int state = stateOf();
  bool wanted = u_what < 2 || (u_what == 2 && count > 1.5) || (u_what == 3 && a_look > 7.5) || (u_what == 4 && state != 7);
  if (!wanted) { gl_Position = nowhere(); return; }
  gl_Position = u_matrix * vec4(a_position, 0.0, 1.0);
  gl_Position.xy = gl_Position.xy * u_shrink + u_offset * gl_Position.w;
  gl_PointSize = u_size;
  v_cell = u_what == 1 ? u_first.w + mod(a_kind, 32.0) : u_what == 2 ? u_first.z + count - 2.0 : u_what == 3 ? u_first.y : u_first.x + float(state);
}`;

export const pictureFragment = `#version 300 es
precision highp float;
in float v_cell;
uniform sampler2D u_atlas;
uniform vec2 u_grid;
out vec4 colour;
void main() {
  float cell = floor(v_cell + 0.5);
  vec2 corner = vec2(mod(cell, u_grid.x), floor(cell / u_grid.x));
  colour = texture(u_atlas, (corner + gl_PointCoord) / u_grid);
}`;
