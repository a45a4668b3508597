-- How much of their rated power lamps of a model take at which level: learned from what they report, for lamps that count nothing (domain reference 7, decision record 26).
CREATE TABLE lamp_curve (
  manufacturer text NOT NULL,
  model        text NOT NULL,
  -- Percent, ascending; and beside each the share of the rated power.
  levels       smallint[] NOT NULL,
  shares       double precision[] NOT NULL,
  -- What the newest of it was learned from.
  lamps        integer NOT NULL,
  hours        integer NOT NULL,
  learned_at   timestamptz NOT NULL,
  PRIMARY KEY (manufacturer, model)
);

-- When it was looked for last.
ALTER TABLE rollup_state ADD COLUMN curves_at timestamptz NOT NULL DEFAULT '-infinity';
