-- Inventory systems are found by parts of their names, with or without accents.
alter table inventory_system add name_folded text not null generated always as (fold_name(name_key)) stored;
create index inventory_system_name_parts on inventory_system using gin (name_parts(name_folded));
