create table if not exists stock (
    sku varchar(64) primary key,
    units int not null
);
create table if not exists sale (
    id varchar(64) primary key,
    sku varchar(64) not null
);
create table if not exists book (
    night timestamp with time zone primary key,
    sold bigint not null,
    instance varchar(64) not null
);
