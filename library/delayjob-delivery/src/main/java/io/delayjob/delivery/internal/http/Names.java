package io.delayjob.delivery.internal.http;

import java.net.InetAddress;
import java.net.UnknownHostException;

/** Looks up the addresses of hosts. */
@FunctionalInterface
public interface Names {

    /** The look-up of the JVM. */
    Names DNS = InetAddress::getAllByName;

    /** The addresses of a host, at least one. */
    InetAddress[] lookUp(String host) throws UnknownHostException;
}
